/** Reserves the space of an item until it has loaded. */
export function ItemSkeleton({ title, loading }: { title: string; loading: string }) {
  return (
    <div className="g12 it" aria-busy="true">
      <h1 className="vh">{title}</h1>
      <p className="vh" role="status">
        {loading}
      </p>
      <div className="gal">
        <div className="sk aspect-square" />
      </div>
      <div className="inf inf-sk">
        {["h-6 w-16", "h-12 w-4/5", "h-6 w-2/5", "h-16 w-1/3", "h-11 w-4/5", "h-11 w-3/5", "h-14"].map((size) => (
          <div key={size} className={`sk ${size}`} />
        ))}
      </div>
    </div>
  );
}
