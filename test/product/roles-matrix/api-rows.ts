import { shareDashboard } from '#product/sharing/dashboard-sharing.ts';
import { shareIssue } from '#product/sharing/sharing.ts';
import { ids } from '../fill-telemetry.ts';
import { ALERT_ROWS } from './alert-rows.ts';
import { type ApiRequest, type ApiRow, forBuilds, row } from './api-row.ts';
import { DATA_REQUEST_API_ROWS } from './data-request-rows.ts';
import { DESTINATION_ROWS } from './destination-rows.ts';
import { MONITOR_ROWS } from './monitor-rows.ts';
import { REFERENCE_ROWS } from './reference-rows.ts';
import { RELEASE_ROWS } from './release-rows.ts';
import type { Joined, MatrixScene } from './scene.ts';
import { UPLOAD_ROWS } from './upload-rows.ts';
import { UPTIME_ROWS } from './uptime-rows.ts';

/** The rows of an issue's routes, which stand below `issues` and below `organizations/[org]/issues`. */
function issueRows(base: string): Record<string, ApiRow> {
  const comment = async (s: MatrixScene, { userId }: Joined): Promise<ApiRequest> => ({
    params: { comment: String(await s.newComment(userId)) },
    body: { text: 'Changed' },
  });
  const unmerge = async (s: MatrixScene): Promise<ApiRequest> => {
    const { target, hashes } = await s.newMerge();
    return { params: { issue: String(target.id) }, query: `id=${hashes[0]}` };
  };
  const fresh = async (s: MatrixScene): Promise<ApiRequest> => ({
    params: { issue: String((await s.newIssue()).id) },
  });
  const rows: Record<string, ApiRow> = {
    'PUT ': row('member', async (s) => ({ ...(await fresh(s)), body: { priority: 'low' } })),
    'DELETE ': row('manager', fresh),
    'POST /external-issues': row('member', (s) => ({
      body: { url: `https://tracker.example.com/${s.unique()}` },
    })),
    'DELETE /external-issues/[link]': row('member', async (s) => ({
      params: { link: String(await s.newLink()) },
    })),
    'PUT /hashes': row('member', unmerge),
    'DELETE /hashes': row('member', unmerge),
    'POST /reprocessing': row('member', async (s) => ({
      params: { issue: String((await s.newIssue((await s.newProject()).id)).id) },
    })),
    'POST /share': row('member', () => ({ body: { days: 7 } })),
    'DELETE /share': row('member', async (s) => {
      const issue = await s.newIssue();
      await shareIssue(s.owner, issue, { days: 7 });
      return { params: { issue: String(issue.id) } };
    }),
  };
  rows['POST /feedback-replies'] = row('member', async (s) => ({
    params: { issue: String((await s.newFeedback()).id) },
    body: { text: 'Fixed' },
  }));
  rows['POST /feedback-replies/[reply]/resend'] = row('member', async (s) => {
    const { issue, replyId } = await s.newFailedReply();
    return { params: { issue: String(issue.id), reply: String(replyId) } };
  });
  for (const notes of ['comments', 'notes']) {
    rows[`POST /${notes}`] = row('member', () => ({ body: { text: 'Seen' } }));
    rows[`PUT /${notes}/[comment]`] = row('member', comment);
    rows[`DELETE /${notes}/[comment]`] = row('member', comment);
  }
  return Object.fromEntries(
    Object.entries(rows).map(([name, each]) => [name.replace(' ', ` ${base}`), each]),
  );
}

/** The rows of a list of issues: bulk changes name them by `id`. */
const bulkRows = (path: string): Record<string, ApiRow> => {
  const one = async (s: MatrixScene): Promise<ApiRequest> => ({
    query: `id=${(await s.newIssue()).id}`,
  });
  return {
    [`PUT ${path}`]: row('member', async (s) => ({ ...(await one(s)), body: { status: 'resolved' } })),
    [`DELETE ${path}`]: row('manager', one),
  };
};

const ORG = 'organizations/[org]';
const PROJECT = 'projects/[org]/[project]';
const LIMITS = [{ kind: 'errors', limit: 1_000_000, window: 3_600 }];

const ofMember = async (s: MatrixScene): Promise<ApiRequest> => ({
  params: { member: (await s.newMember()).userId, team: (await s.newTeam()).slug },
});
const ofToken = async (s: MatrixScene): Promise<ApiRequest> => ({
  params: { token: String((await s.newOrganizationToken()).id) },
  body: { name: 'Renamed' },
});
const ofTeam = async (s: MatrixScene): Promise<ApiRequest> => ({
  params: { team: (await s.newTeam()).slug },
  body: { name: 'Renamed' },
});
const ofSearch = async (s: MatrixScene, { userId }: Joined): Promise<ApiRequest> => ({
  params: { search: String(await s.newSearch(userId)) },
  body: { name: s.unique(), query: 'is:resolved' },
});

const ofQuery = async (s: MatrixScene, { userId }: Joined): Promise<ApiRequest> => ({
  params: { query: String(await s.newQuery(userId)) },
  body: newQuery(s),
});
const ofDashboard = async (s: MatrixScene): Promise<ApiRequest> => ({
  params: { dashboard: String(await s.newDashboard()) },
});
const newQuery = (s: MatrixScene) => ({
  name: s.unique(),
  visibility: 'owner',
  query: [{ mode: 'aggregate', groupby: ['transaction'] }],
});

/** Methods and routes that are not simply read by everybody, and what else some need. */
export const API_ROWS: Readonly<Record<string, ApiRow>> = {
  ...issueRows('issues/[issue]'),
  ...issueRows(`${ORG}/issues/[issue]`),
  ...bulkRows(`${ORG}/issues`),
  ...bulkRows(`${PROJECT}/issues`),
  ...UPLOAD_ROWS,
  ...REFERENCE_ROWS,
  ...RELEASE_ROWS,
  ...ALERT_ROWS,
  ...DESTINATION_ROWS,
  ...MONITOR_ROWS,
  ...UPTIME_ROWS,
  'GET organizations': forBuilds('viewer'),
  'POST organizations': row('instance_owner', async (s) => {
    await s.product.stores.accounts.setInstanceOwner(s.askers.instance_owner.userId);
    return { body: { name: `New ${s.unique()}` } };
  }),
  'GET projects': forBuilds('viewer'),
  [`GET ${ORG}`]: forBuilds('viewer'),
  [`GET ${ORG}/projects`]: forBuilds('viewer'),
  [`PUT ${PROJECT}`]: row('admin', async (s) => ({
    params: { project: (await s.newProject()).slug },
    body: { name: 'Renamed' },
  })),
  [`DELETE ${PROJECT}`]: row('manager', async (s) => ({
    params: { project: (await s.newProject()).slug },
  })),
  [`DELETE ${PROJECT}/replays/[replay]`]: row('manager', async (s) => ({
    params: { replay: await s.newReplay() },
  })),
  [`GET ${ORG}/audit-logs`]: row('manager'),
  [`PUT ${ORG}`]: row('manager', (s) => ({ body: { name: `Name ${s.unique()}` } })),
  [`POST ${ORG}/members`]: row('manager', (s) => ({
    body: { email: `${s.unique()}@example.com`, orgRole: 'member' },
  })),
  [`PUT ${ORG}/members/[member]`]: row('manager', async (s) => ({
    ...(await ofMember(s)),
    body: { orgRole: 'member' },
  })),
  [`DELETE ${ORG}/members/[member]`]: row('manager', ofMember),
  [`POST ${ORG}/members/[member]/teams/[team]`]: row('manager', ofMember),
  [`DELETE ${ORG}/members/[member]/teams/[team]`]: row('manager', ofMember),
  ...DATA_REQUEST_API_ROWS,
  [`POST ${ORG}/org-auth-tokens`]: row('manager', () => ({ body: { name: 'Build' } })),
  [`GET ${ORG}/org-auth-tokens/[token]`]: row('viewer', ofToken),
  [`PUT ${ORG}/org-auth-tokens/[token]`]: row('manager', ofToken),
  [`DELETE ${ORG}/org-auth-tokens/[token]`]: row('manager', ofToken),
  [`PUT ${ORG}/privacy`]: row('manager', () => ({ body: { sensitiveFields: ['iban'] } })),
  [`PUT ${ORG}/quotas`]: row('manager', () => ({ body: { limits: LIMITS } })),
  [`POST ${ORG}/searches`]: row('member', (s) => ({ body: { name: s.unique(), query: 'is:unresolved' } })),
  [`PUT ${ORG}/searches/[search]`]: row('member', ofSearch),
  [`DELETE ${ORG}/searches/[search]`]: row('member', ofSearch),
  [`POST ${ORG}/dashboards`]: row('member', (s) => ({ body: { title: s.unique() } })),
  [`GET ${ORG}/dashboards/[dashboard]`]: row('viewer', ofDashboard),
  [`PUT ${ORG}/dashboards/[dashboard]`]: row('member', async (s) => ({
    ...(await ofDashboard(s)),
    body: { description: 'On call' },
  })),
  [`DELETE ${ORG}/dashboards/[dashboard]`]: row('member', ofDashboard),
  [`GET ${ORG}/dashboards/[dashboard]/share`]: row('viewer', ofDashboard),
  [`POST ${ORG}/dashboards/[dashboard]/share`]: row('member', async (s) => ({
    params: { dashboard: String(await s.newDashboard({ projects: ['web'] })) },
    body: { days: 7 },
  })),
  [`DELETE ${ORG}/dashboards/[dashboard]/share`]: row('member', async (s) => {
    const id = await s.newDashboard({ projects: ['web'] });
    await shareDashboard(s.owner, id, { days: 7 });
    return { params: { dashboard: String(id) } };
  }),
  [`PUT ${ORG}/dashboards/[dashboard]/favorite`]: row('member', async (s) => ({
    ...(await ofDashboard(s)),
    body: { isFavorited: true },
  })),
  [`POST ${ORG}/explore/saved`]: row('member', (s) => ({ body: newQuery(s) })),
  [`GET ${ORG}/explore/saved/[query]`]: row('viewer', ofQuery),
  [`PUT ${ORG}/explore/saved/[query]`]: row('member', ofQuery),
  [`DELETE ${ORG}/explore/saved/[query]`]: row('member', ofQuery),
  [`POST ${ORG}/explore/saved/[query]/starred`]: row('member', async (s, asker) => ({
    ...(await ofQuery(s, asker)),
    body: { starred: true },
  })),
  [`POST ${ORG}/teams`]: row('manager', (s) => ({ body: { name: `Team ${s.unique()}` } })),
  [`PUT ${PROJECT}/codeowners`]: row('admin', () => ({ body: { raw: '' } })),
  [`PUT ${PROJECT}/filters/[filter]`]: row('admin', () => ({
    params: { filter: 'localhost' },
    body: { active: true },
  })),
  [`POST ${PROJECT}/grouping-rules/preview`]: row('admin', () => ({ body: { fingerprint: '' } })),
  [`PUT ${PROJECT}/grouping-rules`]: row('admin', async (s) => ({
    params: { project: (await s.newProject()).slug },
    body: { fingerprint: 'error.type:A -> a' },
  })),
  [`POST ${PROJECT}/keys`]: row('admin', async (s) => ({
    params: { project: (await s.newProject()).slug },
    body: { name: 'Mobile' },
  })),
  [`PUT ${PROJECT}/keys/[key]`]: row('admin', async (s) => {
    const { projectSlug, publicKey } = await s.newKey();
    return { params: { project: projectSlug, key: publicKey }, body: { name: 'Renamed' } };
  }),
  [`GET ${PROJECT}/keys/[key]`]: row('viewer', async (s) => {
    const { projectSlug, publicKey } = await s.newKey();
    return { params: { project: projectSlug, key: publicKey } };
  }),
  [`PUT ${PROJECT}/ownership`]: row('admin', () => ({ body: { raw: '' } })),
  [`POST ${PROJECT}/privacy/preview`]: row('admin', () => ({ body: { sensitiveFields: ['iban'] } })),
  [`PUT ${PROJECT}/privacy`]: row('admin', () => ({ body: { sensitiveFields: ['iban'] } })),
  [`PUT ${PROJECT}/rate-limits`]: row('admin', () => ({ body: { limits: LIMITS } })),
  [`POST ${PROJECT}/teams/[team]`]: row('manager', ofTeam),
  [`DELETE ${PROJECT}/teams/[team]`]: row('manager', ofTeam),
  [`DELETE ${PROJECT}/tombstones/[tombstone]`]: row('manager', async (s) => ({
    params: { tombstone: String(await s.newDiscarded()) },
  })),
  'GET teams/[org]/[team]': row('viewer', (s) => ({ params: { team: s.team.slug } })),
  'GET teams/[org]/[team]/members': row('viewer', ofTeam),
  'PUT teams/[org]/[team]': row('manager', ofTeam),
  'DELETE teams/[org]/[team]': row('manager', ofTeam),
  [`GET ${PROJECT}/transactions/[event]`]: row('viewer', () => ({ params: { event: ids.transaction } })),
  [`GET ${PROJECT}/trace-items/[item]`]: row('viewer', () => ({
    params: { item: ids.root },
    query: `item_type=spans&trace_id=${ids.trace}`,
  })),
  [`GET ${ORG}/spans/fields/[key]/values`]: row('viewer', () => ({ params: { key: 'span.op' } })),
  [`GET ${ORG}/trace-items/attributes/[key]/values`]: row('viewer', () => ({ params: { key: 'span.op' } })),
  [`GET ${ORG}/issues-count`]: row('viewer', () => ({ query: 'query=' })),
  [`GET ${ORG}/explore/changes`]: row('viewer', () => ({
    query:
      'dataset=logs&start=2026-03-01T00:00:00Z&end=2026-03-02T00:00:00Z&selectedStart=2026-03-01T10:00:00Z&selectedEnd=2026-03-01T11:00:00Z',
  })),
  [`GET ${ORG}/trace-logs`]: row('viewer', () => ({ query: `traceId=${ids.trace}` })),
  [`GET ${ORG}/sessions`]: row('viewer', () => ({
    query: 'field=sum(session)&statsPeriod=24h',
  })),
  [`GET ${ORG}/events`]: row('viewer', (s) => ({ query: `dataset=logs&project=${s.web.id}` })),
  [`GET ${ORG}/profiling/chunks`]: row('viewer', (s) => ({
    query: `project=${s.web.id}&profiler_id=${ids.profiler}`,
  })),
  [`GET ${ORG}/profiling/flamegraph`]: row('viewer', (s) => ({
    query: `project=${s.web.id}&query=event.type:transaction`,
  })),
  [`GET ${PROJECT}/profiling/profiles/[profile]`]: row('viewer', () => ({
    params: { profile: ids.sampled },
  })),
  [`GET ${ORG}/stats_v2`]: row('viewer', () => ({
    query: 'field=sum(quantity)&groupBy=outcome&statsPeriod=24h&interval=1h',
  })),
  [`GET ${ORG}/members/[member]`]: row('viewer', () => ({ params: { member: 'me' } })),
};

/** What the dynamic parts of a path usually are. */
export const usualParams = async (s: MatrixScene): Promise<Readonly<Record<string, string>>> => ({
  org: s.mine.slug,
  project: s.web.slug,
  issue: String(s.issue.id),
  event: s.error.eventId,
  attachment: ids.attachment,
  replay: ids.replay,
  segment: '3',
  profile: ids.profile,
  trace: ids.trace,
  monitor: await s.monitorSlug(),
  key: 'level',
  version: s.version,
});
