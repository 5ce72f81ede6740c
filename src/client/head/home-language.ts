// On "/" only: a visitor with the cookie `locale=en-US` gets the English page.
if (location.pathname === "/" && /(?:^|; )locale=en-US/.test(document.cookie))
  location.replace(`/en-US${location.search}${location.hash}`);
