"""Writes for Slack: blocks, mrkdwn, and policies with their buttons."""
