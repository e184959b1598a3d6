from asyncio import run
