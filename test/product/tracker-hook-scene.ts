import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { POST } from '#app/api/hooks/[org]/[kind]/[tracker]/route.ts';
import type { Organization } from '#domain/projects.ts';
import { listLinks } from '#product/issue-links/issue-links.ts';
import { getIssue } from '#product/issues/get-issue.ts';
import { provideServices } from '#product/services.ts';
import type { TrackerKind } from '#product/trackers/tracker-kinds.ts';
import type { Tracker } from '#product/trackers/tracker-store.ts';
import { NOON_MS } from '../contract/sample-events.ts';
import { openProduct, type Product, PUBLIC_URL } from './open-product.ts';
import { servicesOf } from './product-services.ts';

type Joined = Awaited<ReturnType<Product['join']>>;

export const SECRET = 'what both sides know';
export const SHA = '9f2c1ab4d2e0c7b8a1f3d5e7092b4c6d8e0f1a2b';

export let product: Product;
export let organization: Organization;
export let member: Joined;
let deliveries = 0;

/** Before each test a new organization with the issues WEB-1 and WEB-2; webhooks are taken by the route itself. */
export function openHookScene(): void {
  beforeAll(async () => {
    product = await openProduct();
    provideServices(servicesOf(product));
  });
  afterAll(async () => {
    await product?.close();
  });
  beforeEach(async () => {
    product.clock.nowMs = NOON_MS;
    organization = await product.createOrganization();
    const web = await product.createProject(organization, 'web');
    member = await product.join(organization, 'member');
    for (const title of ['One', 'Two']) {
      await product.ingest(organization, [
        { projectId: web.id, title, groupingHash: title === 'One' ? '1'.repeat(32) : '2'.repeat(32) },
      ]);
    }
  });
}

export const connect = (kind: TrackerKind, hookSecret = SECRET, name: string = kind): Promise<Tracker> =>
  product.stores.trackers.add(
    organization.id,
    { kind, name, url: 'https://tracker.example.com', login: null, account: 'ana' },
    { token: 't', hookSecret },
    null,
    NOON_MS,
  );

const hex = (body: string, secret: string) => createHmac('sha256', secret).update(body).digest('hex');

/** As each tracker signs and names what it sends. */
export const SIGN: Readonly<
  Record<TrackerKind, (body: string, event: string, id: string, secret: string) => Record<string, string>>
> = {
  github: (body, event, id, secret) => ({
    'x-hub-signature-256': `sha256=${hex(body, secret)}`,
    'x-github-event': event,
    'x-github-delivery': id,
  }),
  gitlab: (_body, event, id, secret) => ({
    'x-gitlab-token': secret,
    'x-gitlab-event': event,
    'x-gitlab-event-uuid': id,
  }),
  jira: (body, _event, id, secret) => ({
    'x-hub-signature': `sha256=${hex(body, secret)}`,
    'x-atlassian-webhook-identifier': id,
  }),
  linear: (body, event, id, secret) => ({
    'linear-signature': hex(body, secret),
    'linear-event': event,
    'linear-delivery': id,
  }),
};

export async function post(
  tracker: Tracker,
  text: string,
  headers: Record<string, string>,
  org = organization.slug,
) {
  const request = new Request(`${PUBLIC_URL}/api/hooks`, {
    method: 'POST',
    body: text,
    headers: { 'content-type': 'application/json', ...headers },
  });
  const params = Promise.resolve({ org, kind: tracker.kind, tracker: String(tracker.id) });
  const response = await POST(request, { params });
  const answer = (await response.json()) as { result?: string; detail?: string };
  return answer.result ?? `${response.status}`;
}

export async function send(
  tracker: Tracker,
  event: string,
  body: object,
  { id = `d-${++deliveries}`, secret = SECRET }: { id?: string; secret?: string } = {},
): Promise<string> {
  const text = JSON.stringify(body);
  return post(tracker, text, SIGN[tracker.kind](text, event, id, secret));
}

export const linksOf = async (shortId: string) =>
  (await listLinks(member, await getIssue(member, shortId))).map(({ url, title }) => [title, url]);

export const statusOf = async (shortId: string) => {
  const { status, resolution } = await getIssue(member, shortId);
  return [status, resolution];
};

export const githubPush = (message: string, ref = 'refs/heads/main') => ({
  ref,
  repository: { full_name: 'acme/web', default_branch: 'main' },
  commits: [
    {
      id: SHA,
      message,
      url: `https://github.com/acme/web/commit/${SHA}`,
      author: { name: 'Ana', email: member.email.toUpperCase(), username: 'ana' },
    },
  ],
});

export const gitlabPush = (message: string, ref = 'refs/heads/main') => ({
  object_kind: 'push',
  ref,
  project: { path_with_namespace: 'acme/web', default_branch: 'main' },
  commits: [
    {
      id: SHA,
      message,
      url: `https://git.example.com/acme/web/-/commit/${SHA}`,
      author: { name: 'Ana', email: member.email },
    },
  ],
});

export const githubRequest = (change: object) => ({
  action: 'closed',
  repository: { full_name: 'acme/web', default_branch: 'main' },
  pull_request: {
    number: 34,
    html_url: 'https://github.com/acme/web/pull/34',
    title: 'Empty the cart',
    body: 'Fixes WEB-1',
    merged: false,
    merge_commit_sha: SHA,
    base: { ref: 'main' },
    ...change,
  },
});
export const gitlabRequest = ({ merged, base, ...change }: { merged?: boolean; base?: { ref: string } }) => ({
  object_kind: 'merge_request',
  project: { path_with_namespace: 'acme/web', default_branch: 'main' },
  object_attributes: {
    iid: 34,
    url: 'https://git.example.com/acme/web/-/merge_requests/34',
    title: 'Empty the cart',
    description: 'Fixes WEB-1',
    state: merged ? 'merged' : 'opened',
    target_branch: base?.ref ?? 'main',
    merge_commit_sha: merged ? SHA : null,
    last_commit: { id: SHA },
    ...change,
  },
});

/** The state of an issue of each tracker, as it tells it. */
export const ISSUE_HOOKS: Readonly<
  Record<TrackerKind, { key: string; event: string; body: (isClosed: boolean) => object }>
> = {
  github: {
    key: 'acme/web#12',
    event: 'issues',
    body: (isClosed) => ({
      action: isClosed ? 'closed' : 'reopened',
      repository: { full_name: 'acme/web', default_branch: 'main' },
      issue: { number: 12, title: 'Cart', state: isClosed ? 'closed' : 'open', state_reason: null },
    }),
  },
  gitlab: {
    key: 'acme/web#12',
    event: 'Issue Hook',
    body: (isClosed) => ({
      project: { path_with_namespace: 'acme/web', default_branch: 'main' },
      object_attributes: { iid: 12, title: 'Cart', state: isClosed ? 'closed' : 'opened' },
    }),
  },
  jira: {
    key: 'WEB-12',
    event: '',
    body: (isClosed) => ({
      timestamp: NOON_MS,
      webhookEvent: 'jira:issue_updated',
      issue: {
        key: 'WEB-12',
        fields: {
          summary: 'Cart',
          status: { name: isClosed ? 'Done' : 'To Do', statusCategory: { key: isClosed ? 'done' : 'new' } },
        },
      },
    }),
  },
  linear: {
    key: 'ENG-12',
    event: 'Issue',
    body: (isClosed) => ({
      action: 'update',
      type: 'Issue',
      webhookTimestamp: NOON_MS,
      data: {
        identifier: 'ENG-12',
        title: 'Cart',
        state: isClosed ? { name: 'Done', type: 'completed' } : { name: 'Todo', type: 'unstarted' },
      },
    }),
  },
};
