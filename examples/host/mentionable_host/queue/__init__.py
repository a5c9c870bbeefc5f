"""What does jobs: one worker in the process on SQLite, procrastinate and any number of processes on PostgreSQL."""
