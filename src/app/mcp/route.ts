import { sourceProblemText } from '#app/[org]/issues/[issue]/event/source-problem/source-problem-text.ts';
import { reportRequestError } from '#app/error-reporting/report-request-error.ts';
import { clientAddress } from '#lib/client-address.ts';
import { answerMcpRequest } from '#mcp/answer-mcp-request.ts';
import { getServices } from '#product/services.ts';

export const dynamic = 'force-dynamic';

/** The MCP server: docs/mcp.md. */
async function handle(request: Request): Promise<Response> {
  const { stores, now, publicUrl } = getServices();
  return answerMcpRequest(
    { stores, now, publicUrl, describeSourceProblem: sourceProblemText, reportDefect },
    request,
    { ipAddress: clientAddress(request.headers) },
  );
}

async function reportDefect(error: unknown, tool: string): Promise<void> {
  await reportRequestError(
    error,
    { path: '/mcp', method: 'POST', headers: {} },
    {
      routerKind: 'App Router',
      routePath: `/mcp ${tool}`,
      routeType: 'route',
      renderSource: 'react-server-components',
      revalidateReason: undefined,
    },
  );
}

export { handle as DELETE, handle as GET, handle as OPTIONS, handle as POST };
