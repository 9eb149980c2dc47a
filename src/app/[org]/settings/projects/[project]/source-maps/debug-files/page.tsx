import { Bug } from 'lucide-react';
import type { Metadata } from 'next';
import type { PageRequest } from '#app/url-state.ts';
import { UploadedFilesPage } from '../uploaded-files-page.tsx';

export const metadata: Metadata = { title: 'Debug files' };

export default function DebugFilesPage(request: PageRequest<'org' | 'project'>) {
  return (
    <UploadedFilesPage
      request={request}
      text={{
        kind: 'breakpad',
        tab: 'debug-files',
        icon: <Bug />,
        title: 'Debug files',
        noun: 'debug file',
        nouns: 'debug files',
        tool: 'native',
        empty:
          'Crashes of native code (C, C++, Rust, Swift) show addresses. With the symbol files of the build, stack traces show functions, files and lines, and complete call stacks.',
        consequence:
          'Stored events keep their names. New events from this build show addresses until the file is uploaded again.',
      }}
    />
  );
}
