# doc: Images are decoded between the steps
class Photos(Dataset):
    def __init__(self, paths: list[str], transform):
        self.paths, self.transform = paths, transform

    def __len__(self):
        return len(self.paths)

    def __getitem__(self, index: int):
        return self.transform(Image.open(self.paths[index]).convert("RGB"))


def train(model: nn.Module, paths: list[str], transform, optimizer):
    loader = DataLoader(Photos(paths, transform), batch_size=64, shuffle=True, num_workers=4)
    for x in loader:
        model(x.cuda()).sum().backward()
        optimizer.step()
        optimizer.zero_grad()


# case: no workers, by name; a part of the data; a method that reads; a dataset of torchvision
class Records(Dataset):
    def __init__(self, folder: str, tokenizer):
        self.folder, self.tokenizer = folder, tokenizer

    def __len__(self):
        return 100

    def read(self, index: int):
        return np.load(f"{self.folder}/{index}.npy")

    def __getitem__(self, index: int):
        return torch.from_numpy(self.read(index))


def loaders(folder: str, tokenizer, picked: list[int]):
    settings = {"batch_size": 8, "num_workers": 0}
    first = DataLoader(Records(folder, tokenizer), **settings)
    second = DataLoader(Subset(Records(folder, tokenizer), picked), 8, True, num_workers=0)
    digits = datasets.MNIST(folder, transform=transforms.ToTensor())
    return first, second, DataLoader(digits, batch_size=64, num_workers=4)


# case: made where the file is imported, which workers that are not forked do again: no fix
net = nn.Linear(784, 10).cuda()
digits = datasets.MNIST("digits", transform=transforms.ToTensor())
for image, _ in DataLoader(digits, batch_size=64):
    net(image.cuda().flatten(1)).sum().backward()

if __name__ == "__main__":
    for image, _ in DataLoader(digits, batch_size=64, num_workers=4):
        net(image.cuda().flatten(1)).sum().backward()
