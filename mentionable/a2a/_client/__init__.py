"""Calls another agent over A2A, and reads its answer."""
