export type AgentConfiguration = {
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
      where: 'in place of signing in, for Claude Code',
      text: `claude mcp add --transport http errata ${url} --header "Authorization: Bearer $ERRATA_TOKEN"`,
    },
  ];
}
