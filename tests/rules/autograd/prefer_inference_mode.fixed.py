# doc: Tokens are generated one by one
@torch.inference_mode()
def generate(model: nn.Module, tokens: torch.Tensor, count: int):
    for _ in range(count):
        logits = model(tokens)
        tokens = torch.cat([tokens, logits[:, -1:].argmax(-1)], dim=1)
    return tokens
