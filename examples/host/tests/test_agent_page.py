"""The program of each block of docs/agent.md answers."""

import re
from pathlib import Path

import pytest
from recorder import Recorder, answered, come, idle, play

PAGE = (Path(__file__).parents[1] / "docs" / "agent.md").read_text("utf-8")
FIRST, *BLOCKS = re.findall(r"^```python\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("block", ["", *BLOCKS], ids=range(len(BLOCKS) + 1))
def test_a_block_of_the_page_is_a_program_that_answers(make_host, block):
    names: dict = {}
    exec(FIRST + block, names)

    async def story(host):
        await come(host, "Hi")
        await idle(host)
        return await answered(host, seconds=0)

    response = play(make_host(Recorder, agent=names["agent"]), story)

    assert response.status == "ok"
    assert response.parts
