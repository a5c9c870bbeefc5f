"""Each connector has the shape that the others have: a module can be passed where a connector is taken."""

from typing import Any

from mentionable import AnyAsk
from mentionable.connectors import Connector, StagedConnector, bluebubbles, discord, slack


def takes(one: Connector[AnyAsk, Any, Any]) -> None:
    """Take any connector."""


def stages(one: StagedConnector[AnyAsk, Any, Any]) -> None:
    """Take any connector that receives in two stages."""


takes(bluebubbles)
takes(discord)
takes(slack)
stages(bluebubbles)
stages(discord)
stages(slack)
a: Connector[discord.DiscordAsk, discord.Settings, discord.Outgoing] = discord
b: Connector[bluebubbles.BlueBubblesAsk, bluebubbles.Settings, bluebubbles.Outgoing] = bluebubbles
