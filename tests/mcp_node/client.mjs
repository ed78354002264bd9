// Lists the tools and makes the calls that standard input asks for; prints what came back. Input:
// {"sdk": 1 | 2, "url": …} or {"sdk": …, "command": …, "args": …, "cwd": …, "env": …}, and "calls": [{name, arguments}].
import { text } from "node:stream/consumers";

const asked = JSON.parse(await text(process.stdin));
const sdk = asked.sdk === 1
  ? {
      ...(await import("@modelcontextprotocol/sdk/client/index.js")),
      ...(await import("@modelcontextprotocol/sdk/client/streamableHttp.js")),
      ...(await import("@modelcontextprotocol/sdk/client/stdio.js")),
    }
  : {
      ...(await import("@modelcontextprotocol/client")),
      ...(await import("@modelcontextprotocol/client/stdio")),
    };

const options = asked.sdk === 1 ? {} : { versionNegotiation: { mode: { pin: "2026-07-28" } } };
const client = new sdk.Client({ name: "qaf-tests", version: "1" }, options);
const { command, args, cwd, env } = asked;
await client.connect(
  asked.url
    ? new sdk.StreamableHTTPClientTransport(new URL(asked.url))
    : new sdk.StdioClientTransport({ command, args, cwd, env }),
);
const { tools } = await client.listTools();
const results = [];
for (const call of asked.calls) results.push(await client.callTool(call));
await client.close();
process.stdout.write(JSON.stringify({ tools: tools.map((tool) => tool.name), results }));
