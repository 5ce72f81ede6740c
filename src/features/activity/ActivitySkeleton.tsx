/** Skeleton of `Seat`: poster, title, ticket, terms. */
export function ActivitySkeleton() {
  return (
    <div className="g12 ev seat">
      <div className="ev-p">
        <div className="sk" />
      </div>
      <div className="ev-t pile">
        <div className="sk h-7 w-20" />
        <div className="sk h-24" />
        <div className="sk h-64" />
        <div className="sk h-32" />
        <div className="sk h-14" />
      </div>
    </div>
  );
}
