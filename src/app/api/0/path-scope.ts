import type { Issue } from '#domain/issues/issue.ts';
import type { Project } from '#domain/projects.ts';
import { isErrataError, notFound } from '#lib/errors.ts';
import type { Context } from '#product/context.ts';
import { getIssue } from '#product/issues/get-issue.ts';
import type { NamedRelease } from '#product/releases/get-release.ts';
import { listVisibleProjects, projectNotFound } from '#product/visible-projects.ts';
import { type ApiCaller, contextOf } from './api-caller.ts';

type NamesIn<Path> = Path extends `${string}[${infer Name}]${infer Rest}` ? Name | NamesIn<Rest> : never;

/** The dynamic parts of a path, decoded. */
export type PathParams<Path extends string> = Path extends string
  ? Readonly<Record<NamesIn<Path>, string>>
  : never;

/** What a path names, within what the caller can see; `project` is null for a path without one. */
export type PathScope<Path extends string> = Path extends `${string}[issue]${string}`
  ? { ctx: Context; issue: Issue }
  : Path extends `${string}[project]${string}`
    ? { ctx: Context; project: Project }
    : Path extends `${string}[org]${string}`
      ? { ctx: Context; project: null }
      : unknown;

type OpenedPath = { ctx: Context | null; project: Project | null; issue?: Issue };

/** Throws NotFound for what the caller does not see. What may be read and changed of it, the verbs decide. */
export async function openPath(
  caller: ApiCaller,
  { org, project, issue }: { org?: string; project?: string; issue?: string },
): Promise<OpenedPath> {
  if (issue !== undefined) return { ...(await findIssue(caller, org, issue)), project: null };
  if (org === undefined) return { ctx: null, project: null };
  const ctx = contextOf(caller, org);
  return { ctx, project: project === undefined ? null : await selectProject(ctx, project) };
}

export async function selectProject(ctx: Context, slugOrId: string): Promise<Project> {
  const projects = await listVisibleProjects(ctx);
  const project = projects.find(({ slug, id }) => slug === slugOrId || String(id) === slugOrId);
  if (!project) throw projectNotFound(ctx, slugOrId.slice(0, 80));
  return project;
}

/** By number or short id, in the organization if there is one, or the first of the caller's that has it. */
async function findIssue(
  caller: ApiCaller,
  org: string | undefined,
  name: string,
): Promise<{ ctx: Context; issue: Issue }> {
  const contexts = org === undefined ? caller.contexts : [contextOf(caller, org)];
  for (const ctx of contexts) {
    const issue = await getIssue(ctx, name).catch(nullWhenNotFound);
    if (issue) return { ctx, issue };
  }
  throw notFound(`The issue "${name.slice(0, 80)}" does not exist`);
}

export function nullWhenNotFound(error: unknown): null {
  if (isErrataError(error) && error.code === 'not_found') return null;
  throw error;
}

/** The number that a part of a path is. Throws NotFound with the given sentence for anything else. */
export function readPathNumber(part: string, missing: string): number {
  if (/^\d{1,15}$/.test(part)) return Number(part);
  throw notFound(missing);
}

/** A release that a path names: in the organization, or in one of its projects. */
export const nameRelease = ({ version }: { version: string }, project: Project | null): NamedRelease => ({
  version,
  projectSlugs: project === null ? [] : [project.slug],
});
