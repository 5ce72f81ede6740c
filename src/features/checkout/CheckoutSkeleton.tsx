/** The boxes of what a checkout shows beside its address. */
export function CheckoutSkeleton() {
  return (
    <>
      <div className="a pile waits">
        <div className="sk line-sk" />
        <div className="sk note-sk" />
      </div>
      <div className="b">
        <div className="sk sums-sk" />
      </div>
    </>
  );
}
