'use client';

import { useEffect, useId, useState } from 'react';
import type { Tracker } from '#product/trackers/tracker-store.ts';
import { Field, TextField } from '#ui/field.tsx';
import { Notice } from '#ui/notice.tsx';
import { Select } from '#ui/select.tsx';
import { listTrackerProjectsAction, type ProjectChoice } from './actions.ts';
import type { IssuePlace } from './on-issue.ts';

/** A connected tracker, and what its projects are called, such as `Repository`. */
export type TrackerChoice = Pick<Tracker, 'id' | 'kind' | 'name' | 'url'> & { projectWord: string };

export type TrackerFormProps = { place: IssuePlace; tracker: TrackerChoice; onClose: () => void };

/** So many may be more. */
const LISTED_MAX = 50;
/** People go on typing. */
const TYPED_MS = 300;

type ProjectsState = {
  /** null until the tracker has answered. */
  projects: readonly ProjectChoice[] | null;
  /** Why it did not; null when it did. */
  problem: string | null;
  text: string;
  setText: (text: string) => void;
  /** Empty until one is chosen. */
  projectId: string;
  setProjectId: (id: string) => void;
};

/** The places of a tracker, as its token sees them; the first one is chosen until another is. */
export function useTrackerProjects(place: IssuePlace, tracker: TrackerChoice): ProjectsState {
  const [text, setText] = useState('');
  const [projects, setProjects] = useState<readonly ProjectChoice[] | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [chosen, setProjectId] = useState('');
  const { organizationSlug, shortId } = place;

  useEffect(() => {
    let isGone = false;
    const timer = setTimeout(
      async () => {
        const result = await listTrackerProjectsAction({ organizationSlug, shortId }, tracker.id, text);
        if (isGone) return;
        setProblem(result.ok ? null : result.message);
        setProjects(result.ok ? result.value : []);
      },
      text === '' ? 0 : TYPED_MS,
    );
    return () => {
      isGone = true;
      clearTimeout(timer);
    };
  }, [organizationSlug, shortId, tracker.id, text]);

  const projectId = projects?.some(({ id }) => id === chosen) ? chosen : (projects?.[0]?.id ?? '');
  return { projects, problem, text, setText, projectId, setProjectId };
}

export function TrackerProject({ state, tracker }: { state: ProjectsState; tracker: TrackerChoice }) {
  const id = useId();
  const { projects, problem, text, setText, projectId, setProjectId } = state;
  if (problem !== null) {
    return (
      <Notice tone="danger" title={`${tracker.name} is not responding`}>
        {problem}
      </Notice>
    );
  }
  const isSearched = text !== '' || (projects?.length ?? 0) >= LISTED_MAX;
  return (
    <>
      {isSearched ? (
        <TextField
          label={`Search for a ${tracker.projectWord.toLowerCase()}`}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          autoComplete="off"
          maxLength={200}
        />
      ) : null}
      <Field
        id={id}
        label={tracker.projectWord}
        hint={projects?.length === 0 ? 'None are visible to the token.' : undefined}
      >
        <Select
          id={id}
          look="field"
          disabled={projects === null || projects.length === 0}
          value={projectId}
          onValueChange={setProjectId}
          options={
            projects === null
              ? [{ value: '', label: 'Loading…' }]
              : projects.map((project) => ({ value: project.id, label: project.name }))
          }
        />
      </Field>
    </>
  );
}
