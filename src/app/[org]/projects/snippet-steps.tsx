import { sdkSnippet } from './sdk-snippets/sdk-snippet.ts';
import { StepList } from './step-list.tsx';

/** What to install, write and run, step by step. */
export function SnippetSteps({ platform, dsn }: { platform: string | null; dsn: string }) {
  return <StepList steps={sdkSnippet(platform, dsn)} />;
}
