/** Returns whether a key belongs to a word that is being composed from its sounds. Safari ends the composition before the key that ends it, which has the code 229. */
export const isComposition = ({ isComposing, keyCode }: KeyboardEvent): boolean => isComposing || keyCode === 229;
