import { FileQuestion } from 'lucide-react';
import { EmptyPanel } from '#app/shell/panel.tsx';
import { ButtonLink } from '#ui/button-link.tsx';
import { DOCS_PATH } from './guides/guide-links.ts';

export const metadata = { title: 'Guide not found' };

export default function GuideNotFoundPage() {
  return (
    <EmptyPanel
      icon={<FileQuestion />}
      title="There is no such guide"
      actions={<ButtonLink href={DOCS_PATH}>All guides</ButtonLink>}
    >
      It may have been renamed. Search for it above.
    </EmptyPanel>
  );
}
