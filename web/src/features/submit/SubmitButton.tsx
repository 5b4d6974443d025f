import { Button, Progress, Stack } from '@chakra-ui/react'
import { useUploadProgress } from '@/shared/api/uploadProgress'

interface Props {
  children: string
  endpoint: 'submitMap' | 'submitRecord'
  reading: boolean
  sending: boolean
}

// SubmitButton sends the form that it stands in, once its file has been read, and shows how far the upload is.
export function SubmitButton({ children, endpoint, reading, sending }: Props) {
  const sent = useUploadProgress(endpoint)
  return (
    <Stack gap="3" align={{ base: 'stretch', md: 'flex-start' }}>
      <Button
        type="submit"
        size="lg"
        loading={sending}
        loadingText="Sending…"
        disabled={reading}
        minW="14rem"
      >
        {children}
      </Button>
      {sending && (
        <Progress.Root value={sent === null ? null : Math.round(sent * 100)} maxW="sm" w="full" size="sm">
          <Progress.Label textStyle="sm" mb="1">
            {sent !== null && sent < 1 ? `Uploading… ${Math.round(sent * 100)} %` : 'Checking the replay…'}
          </Progress.Label>
          <Progress.Track>
            <Progress.Range />
          </Progress.Track>
        </Progress.Root>
      )}
    </Stack>
  )
}
