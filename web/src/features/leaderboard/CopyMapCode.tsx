import { t } from '@lingui/core/macro'
import { api } from '@/api'
import { CopyButton } from '@/ui/more/CopyButton'

/** Copies the code of a map, which is loaded when the button is pressed. */
export function CopyMapCode({ mapId }: { mapId: string }) {
  const [getMapData] = api.endpoints.getMapData.useLazyQuery()
  const loadCode = async () => (await getMapData({ id: mapId }, true).unwrap()).data.mapData
  return <CopyButton label={t`Copy map code`} write={() => writeLoaded(loadCode())} />
}

/**
 * Writes a text into the clipboard once it is loaded. The clipboard is given the promise of it, where the browser takes
 * one: Safari refuses what is written after the click has been handled.
 */
async function writeLoaded(text: Promise<string>): Promise<void> {
  if (typeof ClipboardItem === 'undefined') return navigator.clipboard.writeText(await text)
  const blob = text.then((text) => new Blob([text], { type: 'text/plain' }))
  return navigator.clipboard.write([new ClipboardItem({ 'text/plain': blob })])
}
