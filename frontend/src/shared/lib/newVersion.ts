/** A newer version of the app than this page's: it is offered, and comes when the person wants it. */
import { useStore } from "zustand";
import { createStore } from "zustand/vanilla";

type Reload = () => void;

const offer = createStore<{ reload: Reload | null }>(() => ({ reload: null }));

export const offerNewVersion = (reload: Reload): void => offer.setState({ reload });
export const useNewVersion = (): Reload | null => useStore(offer, ({ reload }) => reload);
