"""All that is outside: other servers, their names, the clock, chance."""
