import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import { openBugsinkSource } from '#product/transfer/sources/bugsink/bugsink-source.ts';
import { openForeignDatabase } from '#storage/foreign/open-foreign-database.ts';
import { bugsink } from '../../bench/peers/bugsink.ts';
import { findProgram } from '../../bench/peers/peer.ts';
import { until } from '../../harness/until.ts';
import { openProduct } from '../open-product.ts';
import { addMember, openInstallation } from '../transfer-scene.ts';

const program = findProgram('bugsink-manage', 'ERRATA_BENCH_BUGSINK');
const SDK = fileURLToPath(new URL('../../harness/send-sdk-events.mjs', import.meta.url));
/** As the program that sends them says. */
const EVENTS = 12;

/** People, a team and what they did, through Bugsink's own models. */
const ACTIONS = `
from django.utils import timezone
from issues.models import Issue, IssueStateManager, TurningPoint, TurningPointKind, make_issue_history
from projects.models import Project, ProjectMembership
from teams.models import Team, TeamMembership
from users.models import User
ada = User.objects.create_user(username='ada@acme.example', email='ada@acme.example', password='x', first_name='Ada')
team = Team.objects.create(name='Back End')
TeamMembership.objects.create(team=team, user=ada, role=1, accepted=True)
project = Project.objects.get(name='bench')
project.team = team
project.save()
resolved = Issue.objects.get(calculated_type='TypeError')
make_issue_history(resolved, 'resolved_next', ada)
IssueStateManager.resolve_by_next(resolved)
resolved.save()
muted = Issue.objects.get(calculated_type='RangeError')
make_issue_history(muted, 'mute_until:day,1,5', ada)
IssueStateManager.mute(muted, '[{"period": "day", "nr_of_periods": 1, "volume": 5}]')
muted.save()
TurningPoint.objects.create(project=project, issue=resolved, user=ada, timestamp=timezone.now(), kind=TurningPointKind.MANUAL_ANNOTATION, comment='I know this one')
`;

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.close();
});

test('a Bugsink that real SDKs sent to is imported with the same counts by project and issue', async (context) => {
  if (program === null)
    return context.skip('bugsink-manage was not found: name its bin folder in ERRATA_BENCH_BUGSINK');
  const folder = mkdtempSync(path.join(tmpdir(), 'errata-bugsink-'));
  opened.push({ close: async () => rmSync(folder, { recursive: true, force: true }) });
  const peer = await bugsink.start(folder);
  if (typeof peer === 'string') throw new Error(peer);
  try {
    const { origin, publicKey, projectId } = peer.dsn;
    const dsn = `${origin.replace('://', `://${publicKey}@`)}/${projectId}`;
    execFileSync(process.execPath, [SDK, dsn], { timeout: 60_000 });
    await until('all events', async () => (await peer.countEvents()) === EVENTS, { timeoutMs: 60_000 });
  } finally {
    await peer.stop();
  }
  const env = { ...process.env, PYTHONPATH: folder, DJANGO_SETTINGS_MODULE: 'bugsink_conf' };
  execFileSync(program, ['shell', '-c', ACTIONS], { cwd: folder, env });

  const file = path.join(folder, 'db.sqlite3');
  const database = await openForeignDatabase(file);
  opened.push(database);
  const source = await openBugsinkSource(database, { eventStorage: null });

  const product = await openProduct();
  opened.push(product);
  const installation = await openInstallation(product);
  opened.push(installation);
  const { id } = await product.stores.projects.createOrganization({ slug: 'bugsink', name: 'Bugsink' });
  await addMember(product, id, { email: 'owner@example.com', name: 'Owner', role: 'owner' });
  const report = await installation.run(source);
  await installation.untilDigested();
  expect(report.notes.filter(({ result }) => result === 'failed')).toEqual([]);
  expect(report.counts).toMatchObject({
    project: { created: 1 },
    team: { created: 1 },
    member: { created: 1 },
    event: { created: EVENTS },
    issue: { created: 3 },
  });

  const { rows: issues } = await sql<{
    title: string;
    times_seen: number;
    status: string;
    note: string | null;
  }>`
      SELECT issues.title, issues.times_seen::int AS times_seen, issues.status,
          (SELECT data->>'text' FROM activities WHERE activities.issue_id = issues.id AND type = 'note') AS note
        FROM issues JOIN projects ON projects.id = issues.project_id WHERE projects.slug = 'bench'`.execute(
    product.db,
  );
  const theirs = new DatabaseSync(file, { readOnly: true });
  const counts = theirs
    .prepare('SELECT digested_event_count AS count FROM issues_issue ORDER BY count')
    .all();
  theirs.close();
  expect(issues.map(({ times_seen }) => times_seen).toSorted((a, b) => a - b)).toEqual(
    counts.map(({ count }) => count),
  );
  expect(issues.find(({ title }) => title.startsWith('TypeError'))).toMatchObject({
    status: 'resolved',
    // Whoever has not joined yet is named in the text.
    note: expect.stringContaining('I know this one'),
  });
  expect(issues.find(({ title }) => title.startsWith('RangeError'))).toMatchObject({ status: 'archived' });

  const again = await installation.run(await openBugsinkSource(database, { eventStorage: null }));
  expect(again.counts.event?.created ?? 0).toBe(0);
  expect(again.counts.issue?.created ?? 0).toBe(0);
}, 600_000);
