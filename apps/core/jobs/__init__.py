"""Long operations as rows: `start_job` writes one, a `job_handler` runs it."""
