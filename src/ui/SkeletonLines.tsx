/** Skeleton lines of given heights (a class each): the boxes of what comes. */
export function SkeletonLines({ heights }: { heights: readonly string[] }) {
  return (
    <div className="boxes">
      {heights.map((height, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the boxes never change
        <span key={index} className={`sk ${height}`} />
      ))}
    </div>
  );
}
