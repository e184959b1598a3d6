from asyncio import to_thread as run_sync
