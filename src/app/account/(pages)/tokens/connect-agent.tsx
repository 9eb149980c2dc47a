import { Card } from '#ui/card.tsx';
import { CodeBlock } from '#ui/code-block.tsx';

/** How to let a coding agent read and triage issues: what to paste where. */
export function ConnectAgent({ publicUrl }: { publicUrl: string }) {
  return (
    <Card id="agents" title="Connect a coding agent">
      <p className="max-w-prose text-sm text-text-muted">
        Errata is an MCP server at <code className="mono break-anything">{publicUrl}/mcp</code>. An agent that
        opens a browser to sign in needs nothing else: you choose its access there. For other agents, send a
        token from this page as “Authorization: Bearer …”: org:read, project:read and event:read let it read,
        and event:write lets it triage.
      </p>
      <dl className="mt-4 flex flex-col gap-4">
        {agentConfigurations(publicUrl).map(({ agent, where, text }) => (
          <div key={agent}>
            <dt className="mb-1.5 font-medium text-sm">
              {agent} <span className="font-normal text-text-muted">{where}</span>
            </dt>
            <dd>
              <CodeBlock text={text} label={`the configuration of ${agent}`} />
            </dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}

type AgentConfiguration = {
  agent: string;
  /** Where the text goes. */
  where: string;
  text: string;
};

/** What to paste for agents to find the MCP server of the instance. */
export function agentConfigurations(publicUrl: string): readonly AgentConfiguration[] {
  const url = `${publicUrl}/mcp`;
  const json = (value: unknown) => JSON.stringify(value, null, 2);
  return [
    { agent: 'Claude Code', where: 'in a terminal', text: `claude mcp add --transport http errata ${url}` },
    { agent: 'Cursor', where: 'in .cursor/mcp.json', text: json({ mcpServers: { errata: { url } } }) },
    {
      agent: 'VS Code',
      where: 'in .vscode/mcp.json',
      text: json({ servers: { errata: { type: 'http', url } } }),
    },
    {
      agent: 'With a token',
      where: 'instead of signing in, for Claude Code',
      text: `claude mcp add --transport http errata ${url} --header "Authorization: Bearer $ERRATA_TOKEN"`,
    },
  ];
}
