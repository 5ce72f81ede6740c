/** Reserves the space of an order's page until its status has loaded. */
export function OrderSkeleton() {
  return (
    <>
      <div className="pay wait">
        <div className="wrap">
          <div className="l">
            <span className="sk h-6 w-48" />
            <span className="sk clock-sk" />
            <span className="sk h-10 w-64" />
          </div>
          <div className="pay-card-sk sk" />
        </div>
      </div>
      <div className="wrap g12 co under">
        <div className="a pile">
          <div className="sk h-12" />
          <div className="sk h-40" />
          <div className="sk h-36" />
        </div>
        <div className="b pile">
          <div className="sk h-56" />
        </div>
      </div>
    </>
  );
}
