import { Link } from '#ui/navigation/link.tsx';
import { Notice } from '#ui/notice.tsx';

/** Says why an event has no stack: spike protection kept only what is counted. */
export function BodySampledNotice({ issueHref }: { issueHref: string }) {
  return (
    <Notice title="Details of this event were not kept">
      The issue arrived so often in this hour that its project's spike protection kept the details of a sample
      only. The event itself is stored: counts, users and tags are exact.{' '}
      <Link href={issueHref} className="text-accent underline underline-offset-2">
        Show an event with details
      </Link>
    </Notice>
  );
}
