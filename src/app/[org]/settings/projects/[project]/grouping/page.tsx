import type { Metadata } from 'next';
import { ChangeList } from '#app/[org]/issues/grouping-changes/change-list.tsx';
import { loadProjectPage } from '#app/[org]/projects/load-project.ts';
import { firstValue, type PageRequest } from '#app/url-state.ts';
import type { GroupingRulesVersion } from '#product/grouping/grouping-change.ts';
import { getGroupingRules } from '#product/grouping/grouping-rules.ts';
import { hasRight } from '#product/permissions.ts';
import { Badge } from '#ui/badge.tsx';
import { ButtonLink } from '#ui/button-link.tsx';
import { Card } from '#ui/card.tsx';
import { formatPlural } from '#ui/format-number.ts';
import { SettingsPage } from '#ui/page-header.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { RegroupProgress } from './regroup-progress.tsx';
import { RulesEditor } from './rules-editor.tsx';

export const metadata: Metadata = { title: 'Grouping' };

export default async function GroupingSettingsPage({ params, searchParams }: PageRequest<'org' | 'project'>) {
  const { org, slug, ctx } = await loadProjectPage(params);
  const { active, versions, regroups } = await getGroupingRules(ctx, slug);
  const canChange = hasRight(ctx.actor, 'project:write');
  const wanted = Number(firstValue(await searchParams, 'version'));
  const shown = versions.find(({ version }) => version === wanted && version !== active.version) ?? null;
  const running = regroups.find(({ state }) => ['scanning', 'moving', 'undoing'].includes(state)) ?? null;
  const finished = regroups.filter((change) => change !== running);
  const texts = shown ?? active;
  return (
    <SettingsPage
      title="Grouping"
      description="How events are grouped into issues. You can preview rules on stored events, apply them to history, and undo that for 30 days."
    >
      {running ? (
        <RegroupProgress orgSlug={org} projectSlug={slug} change={running} canCancel={canChange} />
      ) : null}
      <RulesEditor
        key={`${active.version} ${shown?.version ?? 0}`}
        orgSlug={org}
        projectSlug={slug}
        activeVersion={active.version}
        restored={shown?.version ?? null}
        texts={{ fingerprint: texts.fingerprint, stackTrace: texts.stackTrace }}
        canChange={canChange}
        isBusy={running !== null}
      />
      {finished.length > 0 ? (
        <Card flush id="changes" title="Applied to history">
          <ChangeList
            changes={finished}
            organizationSlug={org}
            now={ctx.now()}
            canUndo={() => canChange && running === null}
          />
          <p className="border-t px-4 py-2.5 text-text-muted text-xs">
            Undo restores the previous issues, with their counts, people, comments and links, and the previous
            rules. Events that arrived since then are grouped by the previous rules: stored events move to the
            issue that those rules assign, or to a new one if there is none. Later events follow
            automatically.
          </p>
        </Card>
      ) : null}
      {versions.length > 0 ? (
        <Card flush id="versions" title="Versions">
          <VersionList
            base={`/${org}/settings/projects/${slug}/grouping`}
            versions={versions.map(({ fingerprint, stackTrace, ...version }) => ({
              ...version,
              lines: countRules(fingerprint) + countRules(stackTrace),
            }))}
            activeVersion={active.version}
            now={ctx.now()}
            canRestore={canChange}
          />
        </Card>
      ) : null}
    </SettingsPage>
  );
}

const countRules = (text: string): number =>
  text.split('\n').filter((line) => line.trim() !== '' && !line.trimStart().startsWith('#')).length;

type VersionEntry = Omit<GroupingRulesVersion, 'fingerprint' | 'stackTrace'> & { lines: number };

/** All saved versions, newest first; each can be restored into the editor. */
function VersionList({
  base,
  versions,
  activeVersion,
  now,
  canRestore,
}: {
  base: string;
  versions: readonly VersionEntry[];
  activeVersion: number;
  now: number;
  canRestore: boolean;
}) {
  return (
    <ol className="divide-y">
      {versions.map(({ version, author, createdAt, activatedAt, restoredFrom, lines }) => (
        <li key={version} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-4 py-2.5">
          <div className="min-w-0 text-sm">
            <p className="flex flex-wrap items-center gap-2">
              <span className="font-medium">Version {version}</span>
              {version === activeVersion ? <Badge tone="success">active</Badge> : null}
              {activatedAt === null ? <Badge>never active</Badge> : null}
              <span className="text-text-muted text-xs">
                {formatPlural(lines, 'rule')}
                {restoredFrom ? `, restored from version ${restoredFrom}` : ''}
              </span>
            </p>
            <p className="text-text-muted text-xs">
              {author ? <bdi>{author.name}</bdi> : 'Errata'}, <RelativeTime at={createdAt} now={now} />
            </p>
          </div>
          {canRestore && version !== activeVersion ? (
            <ButtonLink size="sm" href={`${base}?version=${version}`}>
              Restore…
            </ButtonLink>
          ) : null}
        </li>
      ))}
    </ol>
  );
}
