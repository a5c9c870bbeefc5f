"""What Slack, Discord and BlueBubbles share: how their events are taken, and how the calls of an answer are made."""
