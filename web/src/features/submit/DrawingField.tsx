import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useEffect } from 'react'
import type { GameMode } from '@/api'
import { useDrawMapMutation } from '@/api/desk'
import { errorText } from '@/api/error'
import { Box, Button, Flex, Image, Skeleton, Stack, Text } from '@/ui'
import { CheckIcon } from '@/ui/icons'
import { usePreview } from '@/ui/more/usePreview'

interface Props {
  replayFile: File
  /** The mode that the form asks for, empty where it does not ask or none is chosen. */
  gameMode: GameMode | ''
  /** The drawing is the map's picture. */
  used: boolean
  disabled: boolean
  onUse: () => void
}

/** Shows the drawing of a replay's map and offers it as the map's picture. */
export function DrawingField({ replayFile, gameMode, used, disabled, onUse }: Props) {
  const [drawMap, { data, error }] = useDrawMapMutation()
  useEffect(() => {
    const request = drawMap({ mapDrawingRequest: { replayFile, ...(gameMode && { gameMode }) } })
    return () => request.abort()
  }, [drawMap, replayFile, gameMode])
  const preview = usePreview(data ?? null)
  if (error) {
    const reason = errorText(error, '')
    return <Text role="status" color="fg.muted">{t`The map could not be drawn. ${reason}`}</Text>
  }
  return (
    <Flex
      as="section"
      aria-label={t`Drawing of the map`}
      direction={{ base: 'column', sm: 'row' }}
      gap="4"
      borderWidth="1px"
      rounded="l3"
      bg="bg.panel"
      p="4"
    >
      <Box w={{ sm: '72' }} flexShrink="0" aspectRatio="1200/630">
        {preview ? (
          <Image src={preview} alt={t`The map of the replay`} w="full" h="full" objectFit="cover" rounded="l2" />
        ) : (
          <Skeleton h="full" />
        )}
      </Box>
      <Stack gap="3" align="flex-start">
        <Text color="fg.muted">{t`This is how the site draws your map. It can be the map's picture.`}</Text>
        <Button
          variant={used ? 'solid' : 'outline'}
          aria-pressed={used}
          disabled={!preview || disabled}
          onClick={onUse}
        >
          {used && <CheckIcon />} <Trans>Use this picture</Trans>
        </Button>
      </Stack>
    </Flex>
  )
}
