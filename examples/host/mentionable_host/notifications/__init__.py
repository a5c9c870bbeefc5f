"""Notifications: events that a person must see once, by their agent, in a browser, on a phone, or where they write.

`mentionable.anp` decides what becomes of each; these modules store it, carry it out, and serve the pages of people.
"""
