"""A session of `rift mcp` through the Python SDK, mcp 1.x: argv[1] is {"command", "args", "env", "calls", "resources"};
prints what the SDK made of each answer, as one JSON object."""

import asyncio
import json
import sys

from mcp import ClientSession, McpError, StdioServerParameters
from mcp.client.stdio import stdio_client

ASKED = json.loads(sys.argv[1])
PREPARING = "local_index_preparing"
# Longer than any answer takes on a machine that is busy.
PATIENCE_SECONDS = 240


def shown(result):
    return {
        "is_error": bool(result.isError),
        "texts": [content.text for content in result.content],
        "structured": result.structuredContent,
    }


async def settled(session, call):
    """The answer once the first index is complete."""
    while True:
        answer = shown(await session.call_tool(call["tool"], call["arguments"]))
        if PREPARING not in str(answer) and "index_preparing" not in str(answer):
            return answer
        await asyncio.sleep(0.05)


async def main():
    server = StdioServerParameters(command=ASKED["command"], args=ASKED["args"], env=ASKED["env"])
    async with stdio_client(server) as (read, write), ClientSession(read, write) as session:
        initialized = await session.initialize()
        out = {
            "protocol": initialized.protocolVersion,
            "server": initialized.serverInfo.name,
            "tools": [tool.name for tool in (await session.list_tools()).tools],
            "resources": [str(resource.uri) for resource in (await session.list_resources()).resources],
            "calls": [await settled(session, call) for call in ASKED["calls"]],
            "reads": [],
        }
        for uri in ASKED["resources"]:
            contents = (await session.read_resource(uri)).contents
            out["reads"].append([content.mimeType for content in contents])
        try:
            out["unknown_tool"] = shown(await session.call_tool("grep", {}))
        except McpError as error:
            out["unknown_tool"] = {"code": error.error.code}
        try:
            await session.read_resource("rift://nothing")
            out["unknown_resource"] = None
        except McpError as error:
            out["unknown_resource"] = {"code": error.error.code}
        print(json.dumps(out))


asyncio.run(asyncio.wait_for(main(), PATIENCE_SECONDS))
