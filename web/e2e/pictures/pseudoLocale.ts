import { activatePseudoLocale, plainTexts } from '../../src/test/pseudo'

declare global {
  interface Window {
    plainTexts: typeof plainTexts
  }
}

/** Takes the place of that of src/locales in the build of the mode "pseudo". */
export function activateLocale(): void {
  activatePseudoLocale({ longer: true })
  window.plainTexts = plainTexts
}
