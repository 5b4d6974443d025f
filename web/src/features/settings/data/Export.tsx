import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useEffect, useRef, useState } from 'react'
import { errorText } from '@/api/error'
import { download } from '@/api/more/download'
import { useAppStore } from '@/store/hooks'
import { Button, Flex, Text } from '@/ui'
import { DownloadIcon } from '@/ui/icons'
import { Notice } from '@/ui/messages'
import { saveFile } from '@/ui/more/saveFile'
import { Part } from '@/ui/Part'
import { toaster } from '@/ui/toaster'
import { endOf } from './exportFile'

const FILE_NAME = 'capzone-data.ndjson'

/** Saves a file with everything that is stored of the player. */
export function Export() {
  const store = useAppStore()
  const [kilobytes, setKilobytes] = useState<number | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const running = useRef<AbortController>(null)
  useEffect(() => () => running.current?.abort(), [])

  const save = async () => {
    const controller = new AbortController()
    running.current = controller
    setProblem(null)
    setKilobytes(0)
    const { file, error } = await download(
      store,
      { url: '/me/export' },
      {
        onProgress: (bytes) => setKilobytes(Math.ceil(bytes / 1024)),
        signal: controller.signal,
      },
    )
    setKilobytes(null)
    if (controller.signal.aborted) return
    if (!file) {
      setProblem(errorText(error, t`Your data could not be downloaded. Please try again.`))
      return
    }
    const end = await endOf(file)
    if (end === 'cut off') {
      setProblem(t`The download ended too early. Please try again.`)
      return
    }
    saveFile(file, FILE_NAME)
    if (end === 'complete') toaster.success({ title: t`Your data is in the file ${FILE_NAME}` })
    else
      setProblem(t`Some of your data could not be read just now. The file has the rest; you can try again right away.`)
  }

  return (
    <Part spaced title={t`Your data in a file`}>
      <Text color="fg.muted">
        <Trans>
          Everything that is stored about you, from all parts of the site, as one JSON object per line. The names of
          other players are not in it. You can download it once a day.
        </Trans>
      </Text>
      <Flex align="center" gap="4" wrap="wrap">
        <Button loading={kilobytes !== null} loadingText={t`Downloading…`} onClick={save}>
          <DownloadIcon size={4} /> <Trans>Download my data</Trans>
        </Button>
        {kilobytes !== null && <Button variant="outline" onClick={() => running.current?.abort()}>{t`Cancel`}</Button>}
        <Text role="status" color="fg.muted">
          {kilobytes !== null && kilobytes > 0 && plural(kilobytes, { one: '# KB so far', other: '# KB so far' })}
        </Text>
      </Flex>
      {problem && <Notice role="alert" status="error" title={problem} />}
    </Part>
  )
}
