"""Calls MCP tools with Python's own clients: one JSON call per line in, one JSON result per line out.

  python3 mcp_caller.py mcp <command> <args...>      Python's mcp, over stdio
  python3 mcp_caller.py fastmcp <address> <token>    fastmcp, over HTTP
"""

import asyncio
import json
import os
import sys


def say(value):
    sys.stdout.write(json.dumps(value) + "\n")
    sys.stdout.flush()


async def serve(list_tools, call):
    say({"tools": await list_tools()})
    loop = asyncio.get_running_loop()
    while line := await loop.run_in_executor(None, sys.stdin.readline):
        wanted = json.loads(line)
        say(await call(wanted["name"], wanted["arguments"]))


def read(result, error, data):
    return {"failed": bool(getattr(result, error)), "data": getattr(result, data)}


async def with_mcp(command, args):
    from mcp import ClientSession, StdioServerParameters
    from mcp.client.stdio import stdio_client

    parameters = StdioServerParameters(command=command, args=args, env=dict(os.environ))
    async with stdio_client(parameters) as streams:
        async with ClientSession(streams[0], streams[1]) as session:
            await session.initialize()

            async def list_tools():
                return [tool.name for tool in (await session.list_tools()).tools]

            async def call(name, arguments):
                result = await session.call_tool(name, arguments)
                new = hasattr(result, "is_error")
                return read(
                    result,
                    "is_error" if new else "isError",
                    "structured_content" if new else "structuredContent",
                )

            await serve(list_tools, call)


async def with_fastmcp(address, token):
    from fastmcp import Client
    from fastmcp.client.auth import BearerAuth

    async with Client(address, auth=BearerAuth(token)) as client:

        async def list_tools():
            return [tool.name for tool in await client.list_tools()]

        async def call(name, arguments):
            result = await client.call_tool(name, arguments, raise_on_error=False)
            return read(result, "is_error", "structured_content")

        await serve(list_tools, call)


kind, *rest = sys.argv[1:]
asyncio.run(with_mcp(rest[0], rest[1:]) if kind == "mcp" else with_fastmcp(*rest))
