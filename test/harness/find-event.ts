import type { ApiClient, ApiEvent, ApiException, ApiFrame, ApiIssue } from './api-client.ts';
import { until } from './until.ts';

/** An answered event has to be readable in the end; how soon is measured by the bench. */
export const READABLE_WITHIN_MS = 60_000;

/** Waits until the API answers an event of the organization `main` and its issue. */
export async function findEvent(
  api: ApiClient,
  slug: string,
  eventId: string,
  timeoutMs = READABLE_WITHIN_MS,
): Promise<{ event: ApiEvent; issue: ApiIssue }> {
  const path = `/api/0/projects/main/${slug}/events/${eventId}/`;
  const event = await until(
    `event ${eventId} of ${slug} over the API`,
    async () => {
      const answer = await api.request('GET', path);
      if (answer.status === 200 && (answer.body as ApiEvent).groupID) return answer.body as ApiEvent;
      if (answer.status !== 404 && answer.status !== 200) {
        throw new Error(
          `GET ${path} answered ${answer.status}: ${JSON.stringify(answer.body).slice(0, 300)}`,
        );
      }
      return null;
    },
    { timeoutMs },
  );
  return { event, issue: await api.get<ApiIssue>(`/api/0/issues/${event.groupID}/`) };
}

/** Waits until an issue has counted so many events: an event can be read a moment before. */
export function findCounted(api: ApiClient, issueId: string, count: number): Promise<ApiIssue> {
  return until(
    `${count} events of issue ${issueId}`,
    async () => {
      const issue = await api.get<ApiIssue>(`/api/0/issues/${issueId}/`);
      return Number(issue.count) === count && issue;
    },
    { timeoutMs: READABLE_WITHIN_MS },
  );
}

/** Waits for the newest issue of a project. */
export function findIssue(
  api: ApiClient,
  slug: string,
  accept: (issue: ApiIssue) => boolean,
  timeoutMs = READABLE_WITHIN_MS,
): Promise<ApiIssue> {
  return until(
    `an issue of ${slug}`,
    async () => (await api.get<ApiIssue[]>(`/api/0/projects/main/${slug}/issues/?query=`)).find(accept),
    { timeoutMs },
  );
}

/** The exceptions of an event's detail, in the order of the API. */
export function exceptionsOf(event: ApiEvent): ApiException[] {
  const entry = event.entries.find((one) => one.type === 'exception');
  return (entry?.data.values ?? []) as ApiException[];
}

/** Every frame of an event, of its exceptions, its own stack trace and its threads. */
export function framesOf(event: ApiEvent): ApiFrame[] {
  type WithStack = { stacktrace?: { frames?: ApiFrame[] | null } | null };
  return event.entries.flatMap((entry) => {
    if (entry.type === 'stacktrace') return (entry.data.frames ?? []) as ApiFrame[];
    const values = Array.isArray(entry.data?.values) ? (entry.data.values as WithStack[]) : [];
    return values.flatMap((value) => value?.stacktrace?.frames ?? []);
  });
}

export function breadcrumbsOf(event: ApiEvent): { message: string | null; category: string | null }[] {
  const entry = event.entries.find((one) => one.type === 'breadcrumbs');
  return (entry?.data.values ?? []) as { message: string | null; category: string | null }[];
}
