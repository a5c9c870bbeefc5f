"""What is stored, in SQLite or PostgreSQL: its functions are part of the transaction of their caller."""
