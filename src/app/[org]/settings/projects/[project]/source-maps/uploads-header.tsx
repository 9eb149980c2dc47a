import { PageHeader } from '#ui/page-header.tsx';
import { TabLinks } from '#ui/tabs.tsx';

type UploadsTab = 'uploads' | 'mappings' | 'debug-files' | 'how-to';

/** The head of the pages about source maps; `base` is the address of the first of them. */
export function UploadsHeader({ base, current }: { base: string; current: UploadsTab }) {
  return (
    <>
      <PageHeader
        title="Source maps"
        description="Files that your builds uploaded, so that stack traces show your original source code."
      />
      <div className="mb-5 border-b">
        <TabLinks
          label="Source maps"
          tabs={[
            { href: base, label: 'Uploads', isCurrent: current === 'uploads' },
            { href: `${base}/mappings`, label: 'ProGuard mappings', isCurrent: current === 'mappings' },
            { href: `${base}/debug-files`, label: 'Debug files', isCurrent: current === 'debug-files' },
            { href: `${base}/how-to`, label: 'How to upload', isCurrent: current === 'how-to' },
          ]}
        />
      </div>
    </>
  );
}
