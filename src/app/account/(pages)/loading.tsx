import { PageBody } from '#ui/page-header.tsx';
import { Skeleton } from '#ui/skeleton.tsx';

export default function AccountLoading() {
  return (
    <PageBody width="narrow">
      <div aria-busy>
        <p role="status" className="sr-only">
          Loading
        </p>
        <Skeleton className="h-6 w-32" />
        <Skeleton className="mt-3 mb-6 h-4 w-72 max-w-full" />
        <div className="flex flex-col gap-5">
          {[0, 1].map((card) => (
            <div key={card} className="rounded-lg border bg-surface-raised p-4">
              <Skeleton className="h-4 w-40" />
              <Skeleton className="mt-5 h-9 w-96 max-w-full" />
              <Skeleton className="mt-4 h-8 w-32" />
            </div>
          ))}
        </div>
      </div>
    </PageBody>
  );
}
