import type { Guide } from '#app/[org]/projects/sdk-snippets/snippet.ts';
import { ButtonLink } from '#ui/button-link.tsx';
import { ExternalLink } from '#ui/external-link.tsx';

/** What comes after the first event: stack traces that people can read, and the SDK's own documentation. */
export function GuideNotes({
  guide: { traces, docs },
  uploads,
}: {
  guide: Guide;
  /** The page that shows how to upload. */
  uploads: string;
}) {
  return (
    <section aria-labelledby="next-title" className="border-t pt-5 text-sm">
      <h2 id="next-title" className="mb-2 font-semibold text-lg">
        {traces ? 'Readable stack traces' : 'Next steps'}
      </h2>
      {traces ? <p className="mb-3 max-w-[75ch] text-text-muted">{traces.text}</p> : null}
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        {traces?.uploadTool ? (
          <ButtonLink size="sm" href={`${uploads}?tool=${traces.uploadTool}`}>
            How to upload
          </ButtonLink>
        ) : null}
        <ExternalLink href={`https://docs.sentry.io/platforms/${docs}`}>SDK documentation</ExternalLink>
      </div>
    </section>
  );
}
