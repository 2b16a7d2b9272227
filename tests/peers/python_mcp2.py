"""A session of `rift mcp` through the Python SDK, mcp 2.x: argv[1] is {"command", "args", "env", "calls", "resources",
"mode"}; prints what the SDK made of each answer, as one JSON object."""

import asyncio
import json
import sys

from mcp import Client, MCPError, StdioServerParameters

ASKED = json.loads(sys.argv[1])
PREPARING = "local_index_preparing"
# Longer than any answer takes on a machine that is busy.
PATIENCE_SECONDS = 240


def shown(result):
    return {
        "is_error": bool(result.is_error),
        "texts": [content.text for content in result.content],
        "structured": result.structured_content,
    }


async def settled(client, call):
    """The answer once the first index is complete."""
    while True:
        answer = shown(await client.call_tool(call["tool"], call["arguments"]))
        if PREPARING not in str(answer) and "index_preparing" not in str(answer):
            return answer
        await asyncio.sleep(0.05)


async def main():
    server = StdioServerParameters(command=ASKED["command"], args=ASKED["args"], env=ASKED["env"])
    async with Client(server, mode=ASKED["mode"]) as client:
        out = {
            "protocol": client.protocol_version,
            "server": client.server_info.name if client.server_info else None,
            "tools": [tool.name for tool in (await client.list_tools()).tools],
            "resources": [str(resource.uri) for resource in (await client.list_resources()).resources],
            "calls": [await settled(client, call) for call in ASKED["calls"]],
            "reads": [],
        }
        for uri in ASKED["resources"]:
            contents = (await client.read_resource(uri)).contents
            out["reads"].append([content.mime_type for content in contents])
        try:
            out["unknown_tool"] = shown(await client.call_tool("grep", {}))
        except MCPError as error:
            out["unknown_tool"] = {"code": error.error.code}
        try:
            await client.read_resource("rift://nothing")
            out["unknown_resource"] = None
        except MCPError as error:
            out["unknown_resource"] = {"code": error.error.code}
        print(json.dumps(out))


asyncio.run(asyncio.wait_for(main(), PATIENCE_SECONDS))
