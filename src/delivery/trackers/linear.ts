import { z } from 'zod';
import type { Network } from '#lib/guarded-request/network.ts';
import type { TrackerAccess, TrackerAnswer, TrackerClient, TrackerIssue } from '../ports/tracker-client.ts';
import { failed, mapAnswer, request, type TrackerEndpoint } from './tracker-request.ts';

const ISSUE = z.object({
  identifier: z.string(),
  url: z.string(),
  title: z.string(),
  state: z.object({ name: z.string(), type: z.string() }),
});
const ISSUE_FIELDS = 'identifier url title state { name type }';
const PROBLEM = z.object({
  errors: z.array(
    z.object({
      message: z.string(),
      extensions: z
        .object({ code: z.string().optional(), userPresentableMessage: z.string().optional() })
        .optional(),
    }),
  ),
});
/** Nobody comes back from these. */
const DONE_TYPES: readonly string[] = ['completed', 'canceled', 'duplicate'];
const TEAMS_MAX = 250;

/** Source: https://linear.app/developers/graphql */
export function openLinear({ url, token }: TrackerAccess, network: Network): TrackerClient {
  const endpoint: TrackerEndpoint = {
    base: new URL(url).host === 'linear.app' ? 'https://api.linear.app' : url,
    // Keys of a person stand alone, tokens of an app after the word.
    headers: { authorization: token.startsWith('lin_api_') ? token : `Bearer ${token}` },
    network,
    readProblem: (body) => problemOf(body)?.text ?? null,
  };
  const ask = async <Value>(
    query: string,
    variables: object,
    data: z.ZodType<Value>,
  ): Promise<TrackerAnswer<Value>> => {
    const body = { query, variables };
    const answer = await request(endpoint, {
      method: 'POST',
      path: '/graphql',
      body,
      schema: z.unknown(),
      isAnswer: (said) => problemOf(said) !== null,
    });
    if (answer.kind === 'failed') return answer;
    const problem = problemOf(answer.value);
    if (problem) {
      return failed(`Linear rejected the request: "${problem.text}"`, {
        isDenied: DENIED_CODES.includes(problem.code),
        concernsAll: CODES_OF_ALL.includes(problem.code),
      });
    }
    const parsed = z.object({ data }).safeParse(answer.value);
    return parsed.success
      ? { kind: 'done', value: parsed.data.data }
      : failed('Linear returned an unexpected response');
  };
  return {
    async whoAmI() {
      const schema = z.object({ viewer: z.object({ name: z.string() }) });
      return mapAnswer(await ask('query { viewer { name } }', {}, schema), ({ viewer }) => viewer);
    },

    async listProjects(text, limit) {
      const schema = z.object({
        teams: z.object({ nodes: z.array(z.object({ id: z.string(), key: z.string(), name: z.string() })) }),
      });
      const listed = await ask(`query { teams(first: ${TEAMS_MAX}) { nodes { id key name } } }`, {}, schema);
      return mapAnswer(listed, ({ teams }) =>
        teams.nodes
          .map(({ id, key, name }) => ({ id, name: `${name} (${key})` }))
          .filter(({ name }) => name.toLowerCase().includes(text.toLowerCase()))
          .slice(0, limit),
      );
    },

    async createIssue({ projectId, title, body }) {
      const schema = z.object({ issueCreate: z.object({ success: z.boolean(), issue: ISSUE.nullable() }) });
      const made = await ask(
        `mutation ($input: IssueCreateInput!) { issueCreate(input: $input) { success issue { ${ISSUE_FIELDS} } } }`,
        { input: { teamId: projectId, title, description: body } },
        schema,
      );
      if (made.kind === 'failed') return made;
      const { issue } = made.value.issueCreate;
      return issue
        ? { kind: 'done', value: toIssue(issue) }
        : failed('Linear did not create the issue: try again');
    },

    async findIssues(projectId, text, limit) {
      const schema = z.object({ found: z.object({ nodes: z.array(ISSUE) }) });
      const filter = { team: { id: { eq: projectId } } };
      const found =
        text === ''
          ? await ask(
              `query ($filter: IssueFilter, $first: Int!) {
                found: issues(filter: $filter, first: $first, orderBy: createdAt) { nodes { ${ISSUE_FIELDS} } } }`,
              { filter, first: limit },
              schema,
            )
          : await ask(
              `query ($term: String!, $filter: IssueFilter, $first: Int!) {
                found: searchIssues(term: $term, filter: $filter, first: $first) { nodes { ${ISSUE_FIELDS} } } }`,
              { term: text, filter, first: limit },
              schema,
            );
      return mapAnswer(found, ({ found: { nodes } }) => nodes.map(toIssue));
    },

    async getIssue(key) {
      const schema = z.object({ issue: ISSUE });
      const read = await ask(
        `query ($id: String!) { issue(id: $id) { ${ISSUE_FIELDS} } }`,
        { id: key },
        schema,
      );
      if (read.kind === 'done') return { kind: 'done', value: toIssue(read.value.issue) };
      return read.reason.includes(NOT_FOUND) ? { kind: 'done', value: null } : read;
    },
  };
}

/** How a text begins about what is not there, or not to be seen by the token. */
const NOT_FOUND = 'Entity not found';
const DENIED_CODES: readonly string[] = ['AUTHENTICATION_ERROR', 'FORBIDDEN'];
const CODES_OF_ALL: readonly string[] = ['AUTHENTICATION_ERROR', 'RATELIMITED'];

function problemOf(body: unknown): { text: string; code: string } | null {
  const [problem] = PROBLEM.safeParse(body).data?.errors ?? [];
  if (!problem) return null;
  const { code = '', userPresentableMessage } = problem.extensions ?? {};
  const { message } = problem;
  const text = message.startsWith(NOT_FOUND) ? message : (userPresentableMessage ?? message);
  return { text, code };
}

const toIssue = ({ identifier, url, title, state }: z.infer<typeof ISSUE>): TrackerIssue => ({
  key: identifier,
  url,
  title,
  state: DONE_TYPES.includes(state.type) ? 'closed' : 'open',
  stateName: state.name,
});
