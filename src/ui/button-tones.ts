// Classes of rare buttons, as `className`. Apart from Button.tsx, as a page has the styles of all classes that its code names.

export const soft = "soft hover:[box-shadow:inset_0_0_0_1.5px]";
export const danger = "danger hover:[box-shadow:inset_0_0_0_2rem_#00000014]";
export const dangerOutline = "outline danger-outline";
