import { AlertIcon } from './icons'
import { Alert, Button } from './index'

interface Props {
  text: string
  onRetry?: (() => void) | undefined
}

/** Shows in the place of something that could not be loaded. */
export function ErrorAlert({ text, onRetry }: Props) {
  return (
    <Alert.Root role="alert" status="error" variant="subtle" alignItems="center">
      <Alert.Indicator>
        <AlertIcon />
      </Alert.Indicator>
      <Alert.Content>
        <Alert.Title>{text}</Alert.Title>
      </Alert.Content>
      {onRetry && (
        <Button size="sm" variant="outline" colorPalette="red" onClick={onRetry}>
          Try again
        </Button>
      )}
    </Alert.Root>
  )
}
