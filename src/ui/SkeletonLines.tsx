/** Skeleton lines; each height is a class. */
export function SkeletonLines({ heights }: { heights: readonly string[] }) {
  return (
    <div className="grid gap-4">
      {heights.map((height, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines never change
        <span key={index} className={`skeleton ${height}`} />
      ))}
    </div>
  );
}
