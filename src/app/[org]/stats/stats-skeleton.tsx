import { Card } from '#ui/card.tsx';
import { Skeleton } from '#ui/skeleton.tsx';

/** The shape of the page while its numbers are on their way. */
export function StatsSkeleton() {
  return (
    <div aria-busy>
      <Skeleton className="mb-1 h-8 w-56" />
      <div className="flex flex-col gap-5 border-t pt-5">
        <Card>
          <div className="mb-6 grid grid-cols-2 gap-6 sm:grid-cols-3 lg:grid-cols-5">
            {[0, 1, 2, 3, 4].map((figure) => (
              <Skeleton key={figure} className="h-11 w-24" />
            ))}
          </div>
          <Skeleton className="h-[180px] w-full" />
        </Card>
        <Card>
          <Skeleton className="h-24 w-full" />
        </Card>
      </div>
    </div>
  );
}
