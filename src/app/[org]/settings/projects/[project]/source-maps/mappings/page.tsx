import { Smartphone } from 'lucide-react';
import type { Metadata } from 'next';
import type { PageRequest } from '#app/url-state.ts';
import { UploadedFilesPage } from '../uploaded-files-page.tsx';

export const metadata: Metadata = { title: 'ProGuard mappings' };

export default function MappingsPage(request: PageRequest<'org' | 'project'>) {
  return (
    <UploadedFilesPage
      request={request}
      text={{
        kind: 'proguard',
        tab: 'mappings',
        icon: <Smartphone />,
        title: 'ProGuard mappings',
        noun: 'mapping',
        nouns: 'mappings',
        tool: 'proguard',
        empty:
          'Android and Java builds that obfuscate names write a mapping.txt. With it, stack traces show the original class and method names.',
        consequence:
          'Stored events keep their names. New events from this build show obfuscated names until the mapping is uploaded again.',
      }}
    />
  );
}
